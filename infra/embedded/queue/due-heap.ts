import type { Message } from './message.ts';

/** Messages ordered by the time at which they become visible. Any of them can be taken out in logarithmic time. */
export class DueHeap {
  private readonly heap: Message[] = [];

  get next(): Message | undefined {
    return this.heap[0];
  }

  add(message: Message): void {
    this.heap.push(message);
    this.rise(message, this.heap.length - 1);
  }

  remove(message: Message): void {
    const index = message.heapIndex;
    const last = this.heap.pop();
    message.heapIndex = -1;
    if (last === undefined || last === message) return;
    this.rise(last, index);
    this.sink(last, last.heapIndex);
  }

  private rise(message: Message, from: number): void {
    let index = from;
    while (index > 0) {
      const parent = (index - 1) >> 1;
      const above = this.heap[parent];
      if (above === undefined || above.visibleAt <= message.visibleAt) break;
      this.put(above, index);
      index = parent;
    }
    this.put(message, index);
  }

  private sink(message: Message, from: number): void {
    let index = from;
    for (;;) {
      const left = this.heap[2 * index + 1];
      if (left === undefined) break;
      const right = this.heap[2 * index + 2];
      const smaller = right !== undefined && right.visibleAt < left.visibleAt ? right : left;
      if (smaller.visibleAt >= message.visibleAt) break;
      const below = smaller.heapIndex;
      this.put(smaller, index);
      index = below;
    }
    this.put(message, index);
  }

  private put(message: Message, index: number): void {
    this.heap[index] = message;
    message.heapIndex = index;
  }
}
