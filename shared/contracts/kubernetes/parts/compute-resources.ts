import { z } from 'zod';

/** An amount as Kubernetes writes it: `200m`, `512Mi`, or a whole number without quotes. It is read as text. */
const Quantity = z
  .union([z.int(), z.string().regex(/^[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([KMGTPE]i|[numkMGTPE]|[eE][+-]?[0-9]+)?$/)])
  .transform(String)
  .meta({ 'x-kubernetes-int-or-string': true });

const amounts = z.record(z.string(), Quantity);
const requests = 'What is set aside, by the name of the resource: cpu, memory, storage and others.';
const limits = 'What must not be exceeded, by the name of the resource: cpu, memory, storage and others.';

export const ComputeResources = z.object({
  requests: amounts.optional().describe(requests),
  limits: amounts.optional().describe(limits),
});

// A rule of the API server compares the amounts of a bound claim one by one. It counts each as if it were as long as
// the whole object may be, and with eight of them the rule would be refused as too expensive.
const few = amounts.meta({ maxProperties: 7 });

export const ClaimedResources = z.object({
  requests: few.optional().describe(requests),
  limits: few.optional().describe(limits),
});
