/** Who promotes, where the field is empty or names this service. */
const ourNames = ['', 'appstudio'];

/** Is it this service that promotes, or a controller of another name? */
export function isOurs(controller: string): boolean {
  return ourNames.includes(controller);
}
