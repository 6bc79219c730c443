import { openGitOpsWorld } from '../../support/gitops-world.ts';
import { describeGrowingWholeWay } from './suites/growing-whole-way.ts';

describeGrowingWholeWay(() => openGitOpsWorld());
