const maximumBytes = 128;

/** Who a write is tracked as: what the request says, else what stands before the first slash of the user agent. */
export function managerName(fieldManager: string | undefined, userAgent: string | undefined): string {
  if (fieldManager !== undefined && fieldManager !== '') return fieldManager;
  const product = (userAgent ?? '').split('/', 1)[0] ?? '';
  let name = '';
  for (const sign of product) {
    if (/[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/u.test(sign)) continue;
    if (Buffer.byteLength(name + sign) > maximumBytes) break;
    name += sign;
  }
  return name;
}
