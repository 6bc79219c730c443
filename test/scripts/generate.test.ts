import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { productsOf } from '../../scripts/generate.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

describe('what is generated', () => {
  it('is up to date', () => {
    expect(stale(root)).toEqual([]);
  });

  it('is told apart when it is missing, changed by hand, or left over', () => {
    const project = anEmptyProject();
    write(project);

    writeFileSync(join(project, 'infra/crds/appstudio.redhat.com_components.yaml'), 'by: hand\n');
    writeFileSync(join(project, 'infra/crds/appstudio.redhat.com_gone.yaml'), 'kind: Gone\n');
    rmSync(join(project, 'test/contracts/frozen/claim.changed.v1.json'));
    writeFileSync(join(project, 'README.md'), '<!-- map:begin -->\n<!-- map:end -->\n');

    expect(stale(project)).toEqual([
      'infra/crds/appstudio.redhat.com_components.yaml is not what shared/contracts/kubernetes says',
      'infra/crds/appstudio.redhat.com_gone.yaml is not what shared/contracts/kubernetes says',
      'claim.changed.v1.json is not frozen yet',
      'README.md shows another map than serverless.yml',
    ]);
  });

  it('is brought up to date by one run, and the next has nothing to do', () => {
    const project = anEmptyProject();
    mkdirSync(join(project, 'infra/crds'), { recursive: true });
    writeFileSync(join(project, 'infra/crds/appstudio.redhat.com_gone.yaml'), 'kind: Gone\n');

    const written = write(project);

    expect(written).toContain('infra/crds/appstudio.redhat.com_gone.yaml');
    expect(written).toContain('test/contracts/frozen/envelope.v1.json');
    expect(stale(project)).toEqual([]);
    expect(write(project)).toEqual([]);
  });

  it('is refused where a frozen contract would have to change', () => {
    const project = anEmptyProject();
    write(project);
    const file = join(project, 'test/contracts/frozen/claim.changed.v1.json');
    writeFileSync(file, '{}\n');

    expect(() => write(project)).toThrow(/claim\.changed\.v1\.json is frozen/);
    expect(readFileSync(file, 'utf8')).toBe('{}\n');
  });
});

function stale(project: string): string[] {
  return productsOf(project).flatMap((product) => product.stale());
}

function write(project: string): string[] {
  return productsOf(project).flatMap((product) => product.write());
}

function anEmptyProject(): string {
  const project = mkdtempSync(join(tmpdir(), 'stagecoach-generate-'));
  onTestFinished(() => rmSync(project, { recursive: true, force: true }));
  writeFileSync(join(project, 'serverless.yml'), readFileSync(join(root, 'serverless.yml'), 'utf8'));
  return project;
}
