import type { FileContent } from '../../ports/gitops-repositories.ts';

/** Only files up to this size (256 KiB) are fetched and read: what is larger is no manifest. */
export const largestFile = 262_144;

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Takes what `git cat-file --batch` prints, in whatever pieces it comes, and tells each object. What is missing was left
 * out by the filter of the fetch; what is too large, as from a host that does not filter, is passed over unkept.
 */
export function openBlobReader(tell: (id: string, content: FileContent) => void): (chunk: Buffer) => void {
  let header = '';
  let id = '';
  let size = 0;
  /** Of the object, and of the line end behind it. */
  let left = 0;
  let parts: Buffer[] = [];

  function begin(line: string): void {
    const [name = '', kind, length] = line.split(' ');
    if (kind === 'missing') tell(name, 'too-large');
    else {
      id = name;
      size = Number(length);
      left = size + 1;
      parts = [];
    }
  }
  return (chunk) => {
    for (let at = 0; at < chunk.length; ) {
      if (left === 0) {
        const end = chunk.indexOf(0x0a, at);
        header += chunk.toString('latin1', at, end === -1 ? undefined : end);
        if (end === -1) return;
        begin(header);
        header = '';
        at = end + 1;
      } else {
        const part = chunk.subarray(at, at + left);
        if (size <= largestFile) parts.push(part);
        at += part.length;
        left -= part.length;
        if (left === 0) tell(id, size > largestFile ? 'too-large' : contentOf(Buffer.concat(parts).subarray(0, size)));
      }
    }
  };
}

function contentOf(bytes: Buffer): FileContent {
  if (bytes.includes(0)) return 'binary';
  try {
    return { text: utf8.decode(bytes) };
  } catch {
    return 'binary';
  }
}
