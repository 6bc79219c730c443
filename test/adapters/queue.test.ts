import { openEmbeddedQueue } from '../support/queue-endpoints.ts';
import { describeQueueContract } from './queue-contract.ts';

describeQueueContract('the embedded server', () => openEmbeddedQueue());
