/** Answers each message from the parent process with the result of `answer`. First sends an empty message to report the start. */
export function answerAsks<Ask>(answer: (ask: Ask) => unknown): void {
  async function reply(ask: Ask): Promise<void> {
    process.send?.((await answer(ask)) ?? {})
  }
  process.on('message', (ask: Ask) => void reply(ask))
  process.send?.({})
}
