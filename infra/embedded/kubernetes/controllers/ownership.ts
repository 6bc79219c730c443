import type { ApiObject } from '../api-object.ts';
import type { ObjectKey } from '../internal-api.ts';

/** Who depends on whom, by uid, kept up to date with the store so that nobody needs to search it. */
export class Ownership {
  private readonly keys = new Map<string, ObjectKey>();
  private readonly owners = new Map<string, readonly string[]>();
  private readonly dependants = new Map<string, Set<string>>();

  learn(uid: string, key: ObjectKey, object: ApiObject): void {
    this.keys.set(uid, key);
    const before = this.owners.get(uid) ?? [];
    const now = (object.metadata.ownerReferences ?? []).map((owner) => owner.uid);
    for (const owner of before) if (!now.includes(owner)) this.unlink(owner, uid);
    for (const owner of now) {
      const known = this.dependants.get(owner) ?? new Set();
      this.dependants.set(owner, known.add(uid));
    }
    if (now.length > 0) this.owners.set(uid, now);
    else this.owners.delete(uid);
  }

  forget(uid: string): void {
    this.keys.delete(uid);
    for (const owner of this.owners.get(uid) ?? []) this.unlink(owner, uid);
    this.owners.delete(uid);
  }

  keyOf(uid: string): ObjectKey | undefined {
    return this.keys.get(uid);
  }

  dependantsOf(uid: string): readonly string[] {
    return [...(this.dependants.get(uid) ?? [])];
  }

  private unlink(owner: string, dependant: string): void {
    const known = this.dependants.get(owner);
    known?.delete(dependant);
    if (known?.size === 0) this.dependants.delete(owner);
  }
}
