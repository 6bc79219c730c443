import { openHypershiftStage } from '../../support/hypershift-stage.ts';
import { describeProvisioner } from './provisioner-contract.ts';

describeProvisioner('appstudio.redhat.com/hypershift', async () => {
  const opened = await openHypershiftStage();
  return {
    provisioner: opened.open(),
    wanted: () => opened.wanted(),
    async make(wanted) {
      const asked = await opened.hypershift.clusters();
      const isAsked = asked.some(({ metadata }) => metadata.name === opened.nameOf(wanted));
      if (isAsked) await opened.hypershift.finish(opened.nameOf(wanted), opened.api);
    },
    takeAway: () => opened.hypershift.finishDeletions(),
    async makeTarget(wanted, name) {
      await opened.makeTarget(wanted, name);
    },
    writes: () => opened.writes(),
    close: () => opened.close(),
  };
});
