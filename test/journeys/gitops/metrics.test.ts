import { openGitOpsWorld } from '../../support/gitops-world.ts';
import { describeMetrics } from './suites/metrics.ts';

describeMetrics(() => openGitOpsWorld());
