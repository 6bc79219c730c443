import { type Chapter, type } from './step.ts';

const definition = 'crd/carriages.session.example.com';

export const kindOfOnesOwn: Chapter = {
  title: "a kind of one's own",
  namespace: 'own-kind',
  steps: [
    type('kubectl create namespace own-kind'),
    type('kubectl apply -f carriages-refused.yaml', { compared: 'any order' }),
    type('kubectl apply -f carriage.yaml'),
    type('kubectl apply -f carriages.yaml'),
    type(`kubectl wait --for=condition=Established ${definition} --timeout=30s`),
    // The list of kinds and their schemas follow the definition with a delay of their own.
    type('kubectl api-resources --api-group=session.example.com -o wide', { until: /Carriage/ }),
    type('kubectl explain carriage.spec', { until: /colour/ }),
    type('kubectl explain car.spec.colour'),
    type('kubectl apply -f carriage.yaml'),
    type('kubectl apply -f carriage.yaml'),
    type('kubectl get car -o wide'),
    type('kubectl get coaches'),
    type('kubectl get carriage mail -o yaml'),
    type('kubectl describe carriages'),
    type('kubectl scale carriage mail --replicas=4'),
    type('kubectl scale carriage mail --replicas=8'),
    type('kubectl get carriage mail --subresource=scale'),
    type(`kubectl patch carriage mail --subresource=status --type=merge -p '{"status":{"horses":4}}'`),
    type(`kubectl patch carriage mail --type=merge -p '{"spec":{"colour":"blue"}}'`),
    type(`kubectl patch carriage mail --type=json -p '[{"op":"test","path":"/spec/horses","value":1}]'`),
    type('kubectl annotate carriage mail stop=here --resource-version=1'),
    type('kubectl get carriage mail -o yaml | kubectl replace -f -'),
    type('kubectl get carriage mail --server-print=false'),
    type('kubectl apply -f carriages.yaml'),
    type(`kubectl delete ${definition} --timeout=60s`),
    type('kubectl get carriages', { until: /NotFound/ }),
  ],
};
