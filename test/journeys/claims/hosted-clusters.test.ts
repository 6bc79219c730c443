import { openGitOpsWorld } from '../../support/gitops-world.ts';
import { describeHostedClusters } from './suites/hosted-clusters.ts';

describeHostedClusters(() => openGitOpsWorld());
