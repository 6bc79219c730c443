import { describe, expect, it } from 'vitest';
import { serialKey } from '../../../shared/domain/core/serial-key.ts';

const template = 'application:{namespace}/{application}';

describe('a serial key', () => {
  it('is shared by functions with the same template', () => {
    const subject = { namespace: 'team', name: 's1', application: 'shop' };

    expect(serialKey(template, 'create-snapshot', subject)).toBe('application:team/shop');
    expect(serialKey(template, 'start-promotion', subject)).toBe('application:team/shop');
  });

  it('is the subject itself where nobody knew the application', () => {
    expect(serialKey(template, 'create-snapshot', { namespace: 'team', name: 's1' })).toBe('create-snapshot:team/s1');
  });

  it('takes a name that looks like a placeholder for what it is', () => {
    expect(serialKey('claim:{namespace}/{name}', 'bind-claim', { namespace: '{name}', name: '$&' })).toBe(
      'claim:{name}/$&',
    );
  });
});
