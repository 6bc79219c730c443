import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Transient } from '../../../../shared/ports/trouble.ts';
import { startArgoGit } from '../../../support/argo-repository.ts';
import type { GitOpsWorld } from '../../../support/gitops-world.ts';
import { describeWithGit } from '../../../support/needs-git.ts';
import { openCredentialScene } from './credential-scene.ts';
import { type PlayedGitHost, startPlayedGitHost } from './played-git-host.ts';

/** What is said of a credential that does not work, and how it comes to work after all. */
export function describeBadRepositoryCredentials(open: () => Promise<GitOpsWorld>): void {
  describe('a repository credential that does not work', () => {
    let world: GitOpsWorld;
    let host: PlayedGitHost;
    beforeAll(async () => {
      host = await startPlayedGitHost();
      world = await open();
    });
    afterAll(async () => {
      await world?.close();
      await host?.stop();
    });

    function wrong(reason: string, message: string) {
      return {
        ErrorOccurred: ['True', reason, message],
        ValidRepositoryURL: ['False', reason, message],
        ValidRepositoryCredential: ['False', reason, message],
      };
    }

    it('RR-01 WR-06 is skipped where it, or its whole namespace, is not there', async () => {
      world.knock('repo-credential.changed.v1', { namespace: 'nowhere', name: 'access' });

      expect((await world.settle()).map(({ outcome }) => outcome)).toEqual([{ kind: 'skipped', why: 'gone' }]);
    });

    it('RR-02 names no Secret', async () => {
      const scene = await openCredentialScene(world, host);
      await scene.make({ secret: '' });
      await world.settle();

      expect(await scene.says()).toEqual(wrong('SecretNotSpecified', 'Secret field is missing value'));
      expect(await scene.rows()).toEqual([]);
    });

    it('RR-03 defect 6: waits for its Secret, says so, and works when the Secret comes', async () => {
      const scene = await openCredentialScene(world, host);
      await scene.make();
      await world.settle();
      expect(await scene.says()).toEqual(wrong('SecretNotFound', 'Secret specified not found'));

      await scene.makeSecret();
      await world.settle();

      expect((await scene.says())['ErrorOccurred']?.[1]).toBe('RepositoryCredentialUpToDate');
      expect(await scene.rows()).toHaveLength(1);
    });

    it('has a Secret of another type', async () => {
      const scene = await openCredentialScene(world, host);
      await scene.makeSecret(undefined, 'Opaque');
      await scene.make();
      await world.settle();

      expect(await scene.says()).toEqual(
        wrong(
          'SecretInvalidType',
          'Secret has an invalid type, must be managed-gitops.redhat.com/repository-credential',
        ),
      );
    });

    it('loses its Secret: that is said, and what Argo CD has stays', async () => {
      const scene = await openCredentialScene(world, host);
      await scene.makeSecret();
      const uid = await scene.make();
      await world.settle();
      await scene.newOperations(uid);

      await scene.dropSecret();
      await world.settle();

      expect((await scene.says())['ErrorOccurred']?.[1]).toBe('SecretNotFound');
      expect(await scene.rows()).toHaveLength(1);
      expect(await scene.newOperations(uid)).toBe(0);
    });

    it('RR-04 defect 22: is not let in: nothing is stored, and the host is not asked again before its time', async () => {
      const scene = await openCredentialScene(world, host);
      await scene.makeSecret({ username: 'me', password: 'guess' });
      host.asked.length = 0;
      await scene.make();
      await world.settle();

      const message = `Repository Credentials provided creds for Repository ${scene.url} are invalid`;
      expect(await scene.says()).toEqual({
        ErrorOccurred: ['True', 'InvalidCredentials', message],
        ValidRepositoryURL: ['True', 'ValidRepositoryUrl', `Repository ${scene.url} exists`],
        ValidRepositoryCredential: ['False', 'InvalidCredentials', message],
      });
      expect(await scene.rows()).toEqual([]);
      // Once for the object, and once more because our own word about it is a change, too.
      expect(host.asked.length).toBeLessThanOrEqual(2);
      const [wait] = await world.sql`
        select extract(epoch from due_at - now())::integer as seconds from wakeup where subject = ${`${scene.key.namespace}/access`}`;
      expect(wait?.['seconds']).toBeGreaterThan(500);

      await scene.rotate('hunter2');
      await world.settle();
      expect((await scene.says())['ErrorOccurred']?.[1]).toBe('RepositoryCredentialUpToDate');
    });

    it('works until it is rotated to something wrong: what Argo CD has stays', async () => {
      const scene = await openCredentialScene(world, host);
      await scene.makeSecret();
      const uid = await scene.make();
      await world.settle();
      await scene.newOperations(uid);

      await scene.rotate('guess');
      await world.settle();

      expect((await scene.says())['ValidRepositoryCredential']?.[1]).toBe('InvalidCredentials');
      expect((await scene.rows()).map(({ revision }) => revision)).toEqual([1]);
      expect(await scene.newOperations(uid)).toBe(0);
    });

    it('names a repository that is not there, and works when somebody makes it', async () => {
      const scene = await openCredentialScene(world, host);
      host.repositories.delete(scene.path);
      await scene.makeSecret();
      await scene.make();
      await world.settle();
      expect(await scene.says()).toEqual(
        wrong('InvalidRepositoryUrl', 'Repository does not exist: repository not found'),
      );

      host.repositories.set(scene.path, 'hunter2');
      await world.wake();
      await world.settle();

      expect((await scene.says())['ErrorOccurred']?.[1]).toBe('RepositoryCredentialUpToDate');
    });

    it.each([
      ['a password', 'https://me:hunter2@git.example.com/r', 'repository must not contain a user name or a password'],
      ['a pattern', 'https://git.example.com/*', 'repository must not contain any of the characters'],
      ['a file of the machine', 'file:///etc', 'repository must begin with ssh:// or https://'],
      ['a program', 'ext::sh -c whoami', 'repository must not contain white space'],
      [
        'a way that anybody can listen in on',
        'http://git.example.com/r',
        'repository must begin with ssh:// or https://',
      ],
      ['nothing', '', 'repository must not be empty'],
    ])('has an address with %s: nobody is asked, and the address is not repeated', async (_what, repository, text) => {
      const scene = await openCredentialScene(world, host);
      await scene.makeSecret();
      await scene.make({ repository });
      const ran = await world.settle();

      const says = await scene.says();
      expect(new Set(Object.values(says).map(([, reason]) => reason))).toEqual(new Set(['InvalidRepositoryUrl']));
      expect(says['ErrorOccurred']?.[2]).toContain(text);
      expect(await scene.everythingSaid()).not.toContain('hunter2');
      expect(ran.at(-1)?.outcome).toMatchObject({ kind: 'stepped', next: 'settled' });
    });

    it('has a host that is away: it waits, longer each time, and goes on by itself', async () => {
      const scene = await openCredentialScene(world, host);
      await scene.makeSecret();
      host.ill = true;
      await scene.make();
      await world.settle();

      const message = `Repository ${scene.url} could not be checked: the host answers with an error of its own`;
      expect(await scene.says()).toEqual({
        ErrorOccurred: ['True', 'ErrorOccurred', message],
        ValidRepositoryURL: ['Unknown', 'ErrorOccurred', message],
        ValidRepositoryCredential: ['Unknown', 'ErrorOccurred', message],
      });
      await world.sql`update wakeup set since = now() - interval '5 minutes' where subject = ${`${scene.key.namespace}/access`}`;
      await world.wake();
      await world.settle();
      const [wait] = await world.sql`
        select extract(epoch from due_at - now())::integer as seconds from wakeup where subject = ${`${scene.key.namespace}/access`}`;
      expect(wait?.['seconds']).toBeGreaterThan(200);

      host.ill = false;
      await world.wake();
      await world.settle();
      expect((await scene.says())['ErrorOccurred']?.[1]).toBe('RepositoryCredentialUpToDate');
    });

    it('WR-07 meets an API server that fails: the step comes again, and nothing is half done', async () => {
      const scene = await openCredentialScene(world, host);
      await scene.makeSecret();
      await scene.make();
      world.connection.trouble = ({ path }, when) =>
        when === 'before' && path.endsWith('/status') ? new Transient('cluster', 'it is away') : undefined;
      const ran = await world.settle();
      world.connection.trouble = undefined;
      expect(ran.map(({ outcome }) => outcome.kind)).toContain('transient');
      expect(await scene.rows()).toEqual([]);

      await world.wake();
      await world.settle();

      expect(await scene.rows()).toHaveLength(1);
      expect((await scene.says())['ErrorOccurred']?.[1]).toBe('RepositoryCredentialUpToDate');
    });

    describeWithGit('on a real git server', () => {
      it('is told from one that does', async () => {
        const folder = mkdtempSync(join(tmpdir(), 'stagecoach-credentials-'));
        const git = await startArgoGit(folder);
        const { url } = await git.repository({ 'a.txt': 'a' });
        const [good, bad] = [await openCredentialScene(world, host), await openCredentialScene(world, host)];
        await good.makeSecret({ username: 'me', password: git.readToken });
        await bad.makeSecret({ username: 'me', password: 'guess-it-is' });
        await good.make({ repository: url });
        await bad.make({ repository: url });
        await world.settle();
        await git.stop();
        rmSync(folder, { recursive: true, force: true });

        expect((await good.says())['ErrorOccurred']?.[1]).toBe('RepositoryCredentialUpToDate');
        expect((await bad.says())['ErrorOccurred']?.[1]).toBe('InvalidCredentials');
      });
    });
  });
}
