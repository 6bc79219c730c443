/** Sets a member that came from outside: the name `__proto__` must become a plain member, never the prototype. */
export function setOwn<Value>(map: Record<string, Value>, name: string, value: Value): void {
  if (name === '__proto__') {
    Object.defineProperty(map, name, { value, writable: true, enumerable: true, configurable: true });
  } else {
    map[name] = value;
  }
}
