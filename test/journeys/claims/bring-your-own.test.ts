import { openGitOpsWorld } from '../../support/gitops-world.ts';
import { describeBringYourOwn } from './suites/bring-your-own.ts';

describeBringYourOwn(() => openGitOpsWorld());
