/** What an element needs to stand in a chain. An element stands in one chain at a time. */
export interface Link<T> {
  before: T | undefined;
  after: T | undefined;
}

/** A list in which every element can be taken out at once, wherever it stands. */
export class Chain<T extends Link<T>> {
  first: T | undefined;
  last: T | undefined;
  size = 0;

  push(element: T): void {
    element.before = this.last;
    element.after = undefined;
    if (this.last === undefined) this.first = element;
    else this.last.after = element;
    this.last = element;
    this.size += 1;
  }

  insertBefore(element: T, mark: T): void {
    element.before = mark.before;
    element.after = mark;
    if (mark.before === undefined) this.first = element;
    else mark.before.after = element;
    mark.before = element;
    this.size += 1;
  }

  remove(element: T): void {
    if (element.before === undefined) this.first = element.after;
    else element.before.after = element.after;
    if (element.after === undefined) this.last = element.before;
    else element.after.before = element.before;
    element.before = undefined;
    element.after = undefined;
    this.size -= 1;
  }

  shift(): T | undefined {
    const { first } = this;
    if (first !== undefined) this.remove(first);
    return first;
  }
}
