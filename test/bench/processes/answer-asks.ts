/** Answers each message of the parent with the result of `answer`. The first message reports the start. */
export function answerAsks<Ask>(answer: (ask: Ask) => unknown): void {
  async function reply(ask: Ask): Promise<void> {
    process.send?.((await answer(ask)) ?? {})
  }
  process.on('message', (ask: Ask) => void reply(ask))
  process.send?.({})
}
