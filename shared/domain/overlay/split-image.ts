/** An image as the field `images` of a kustomization wants it. */
export interface ImageParts {
  readonly newName: string;
  readonly newTag?: string;
  readonly digest?: string;
}

const pattern = /^(?<name>[\w.[\]][\w.:/[\]-]*?)(?::(?<tag>\w[\w.-]{0,127}))?(?:@(?<digest>[A-Za-z][\w+.-]*:\w+))?$/;

/**
 * A colon makes a tag only behind the last slash; before it, it belongs to a port. With a tag and a digest, the tag stays in
 * the name: kustomize 4 would drop it otherwise. Undefined: no image is called like that.
 */
export function splitImage(image: string): ImageParts | undefined {
  const { name, tag, digest } = pattern.exec(image)?.groups ?? {};
  if (name === undefined || /[:/]$|[:/]\//.test(name)) return undefined;
  if (digest !== undefined) return { newName: tag === undefined ? name : `${name}:${tag}`, digest };
  return tag === undefined ? { newName: name } : { newName: name, newTag: tag };
}
