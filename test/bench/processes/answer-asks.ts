/** Answers each message of the parent with what `answer` makes of it, after a first one that says that it is there. */
export function answerAsks<Ask>(answer: (ask: Ask) => unknown): void {
  async function reply(ask: Ask): Promise<void> {
    process.send?.((await answer(ask)) ?? {})
  }
  process.on('message', (ask: Ask) => void reply(ask))
  process.send?.({})
}
