import type { KindRules } from '../served-kind.ts';
import { forbiddenValue, invalidValue, requiredValue, unsupportedValue } from './field-errors.ts';
import { type Fields, fieldsAt, isSame, listAt, openFields, setDefault } from './fields.ts';
import { settleQuantities } from './pod-defaults.ts';
import { nanos } from './validate-resources.ts';

const modes = ['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce', 'ReadWriteOncePod'];

export function defaultClaim(claim: Fields): void {
  const spec = openFields(claim, 'spec');
  setDefault(spec, 'volumeMode', 'Filesystem');
  settleQuantities(openFields(spec, 'resources'), 'requests', 'limits');
}

export const claimRules: KindRules = {
  setDefaults: defaultClaim,
  prepareCreate(object) {
    object['status'] = { phase: 'Pending' };
  },
  validate(object, old) {
    const spec = fieldsAt(object, 'spec');
    const given = listAt(spec, 'accessModes');
    const said = given
      .filter((mode) => !modes.includes(String(mode)))
      .map((mode) => unsupportedValue('spec.accessModes', mode, modes));
    if (given.length === 0) said.push(requiredValue('spec.accessModes', 'at least 1 access mode is required'));
    const storage = fieldsAt(spec, 'resources', 'requests')['storage'];
    if (storage === undefined) said.push(requiredValue('spec.resources[storage]'));
    else if (nanos(storage) <= 0n) {
      said.push(invalidValue('spec.resources[storage]', String(storage), 'must be greater than zero'));
    }
    if (old !== undefined && !isSame(spec, { ...fieldsAt(old, 'spec'), volumeName: spec['volumeName'] })) {
      const words =
        'spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims';
      said.push(forbiddenValue('spec', words));
    }
    return said;
  },
};
