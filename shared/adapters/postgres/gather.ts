/**
 * Asks for many in one round trip: what comes while a question is under way is asked with the next one. Alone, a
 * question goes at once.
 */
export function gather<Ask, Answer>(
  most: number,
  ask: (asks: readonly Ask[]) => Promise<readonly Answer[]>,
): (one: Ask) => Promise<Answer> {
  const waiting: { one: Ask; resolve: (answer: Answer) => void; reject: (error: unknown) => void }[] = [];
  let asking = false;

  async function askAll(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting.splice(0, most);
      try {
        const answers = await ask(batch.map(({ one }) => one));
        for (const [index, { resolve, reject }] of batch.entries()) {
          const answer = answers[index];
          if (answer === undefined) reject(new Error('A question was not answered'));
          else resolve(answer);
        }
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    asking = false;
  }

  return (one) =>
    new Promise((resolve, reject) => {
      waiting.push({ one, resolve, reject });
      if (asking) return;
      asking = true;
      // At the end of this turn, so that those who come together ask together.
      queueMicrotask(() => void askAll());
    });
}
