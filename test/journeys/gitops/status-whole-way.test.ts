import { openGitOpsWorld } from '../../support/gitops-world.ts';
import { describeStatusWholeWay } from './suites/status-whole-way.ts';

describeStatusWholeWay(() => openGitOpsWorld());
