import { describe, expect, it } from 'vitest';
import { splitImage } from '../../../shared/domain/overlay/split-image.ts';

describe('an image', () => {
  it.each([
    ['web', { newName: 'web' }],
    ['team/web:v1', { newName: 'team/web', newTag: 'v1' }],
    ['quay.io/team/web:1.25', { newName: 'quay.io/team/web', newTag: '1.25' }],
    ['registry:5000/web', { newName: 'registry:5000/web' }],
    ['registry:5000/team/web:v1', { newName: 'registry:5000/team/web', newTag: 'v1' }],
    ['[::1]:5000/web:v1', { newName: '[::1]:5000/web', newTag: 'v1' }],
    ['quay.io/team/web@sha256:0a1b', { newName: 'quay.io/team/web', digest: 'sha256:0a1b' }],
    ['registry:5000/web@sha256:0a1b', { newName: 'registry:5000/web', digest: 'sha256:0a1b' }],
    ['quay.io/team/web:v1@sha256:0a1b', { newName: 'quay.io/team/web:v1', digest: 'sha256:0a1b' }],
  ])('O32 %s is split so that kustomize puts it together again', (image, parts) => {
    expect(splitImage(image)).toEqual(parts);
  });

  it.each([
    '',
    ' ',
    'web web',
    'web:',
    'web:/x',
    'web@',
    'web@sha256',
    'web@sha256:',
    '@sha256:0a',
    '/web',
    'web/',
    'a//b',
    'web\n',
    'web:v 1',
    'a@b@c:d',
    '-web',
    '$(IMAGE)',
  ])('%j is none', (image) => {
    expect(splitImage(image)).toBeUndefined();
  });
});
