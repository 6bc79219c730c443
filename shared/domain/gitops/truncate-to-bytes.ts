import { truncate } from './truncate.ts';

const mark = '...';

/** As `truncate`, for a column whose limit counts bytes, which is how all of ours count. */
export function truncateToBytes(text: string, most: number): string {
  const characters = truncate(text, most);
  if (byteLength(characters) <= Math.max(0, most)) return characters;
  if (most <= mark.length) return mark.slice(0, Math.max(0, most));
  let bytes = mark.length;
  let kept = '';
  for (const character of characters) {
    bytes += byteLength(character);
    if (bytes > most) break;
    kept += character;
  }
  return `${kept}${mark}`;
}

function byteLength(text: string): number {
  return new TextEncoder().encode(text).length;
}
