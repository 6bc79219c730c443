import { describe, expect, it } from 'vitest';
import {
  annotations,
  finalizers,
  isMarked,
  labels,
  readAnnotation,
  secretTypes,
} from '../../../shared/contracts/kubernetes/metadata-keys.ts';

const { bindComplete, targetProvisioner } = annotations;
const misspelt = 'provionser.appstudio.redhat.com/dt-provisioner';

describe('an annotation', () => {
  it('is read under its misspelt key too', () => {
    expect(readAnnotation({ [misspelt]: 'appstudio.redhat.com/devsandbox' }, targetProvisioner)).toBe(
      'appstudio.redhat.com/devsandbox',
    );
  });

  it('is read under its right key where both are there', () => {
    const found = { [misspelt]: 'old', [targetProvisioner.key]: 'new' };

    expect(readAnnotation(found, targetProvisioner)).toBe('new');
  });

  it('marks by "true" and by the "yes" of the documents, and by nothing else', () => {
    const marked = ['true', 'yes', 'false', ''].map((value) => isMarked({ [bindComplete.key]: value }, bindComplete));

    expect(marked).toEqual([true, true, false, false]);
    expect(isMarked({}, bindComplete)).toBe(false);
  });

  it('is written with the right spelling only', () => {
    const written = Object.values(annotations).map(({ key }) => key);

    expect(written.filter((key) => key.includes('provionser'))).toEqual([]);
  });
});

describe('a key', () => {
  const keys = [
    ...[...Object.values(annotations), ...Object.values(finalizers)].flatMap(({ key, alsoRead }) => [key, ...alsoRead]),
    ...Object.values(labels),
    ...Object.values(secretTypes),
  ];

  it.each(keys)('%s has a form that the API server accepts', (key) => {
    expect(key).toMatch(/^([a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?\/)?[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$/);
  });

  it('is in one table once', () => {
    const read = [...Object.values(annotations)].flatMap(({ key, alsoRead }) => [key, ...alsoRead]);

    expect(new Set(read).size).toBe(read.length);
  });
});
