// Answers the questions of program.ts over IPC, and exits with the parent process.

interface Question {
  number: number
  question: string
  given: never
}

export function answer(answers: Record<string, (given: never) => unknown>): void {
  process.on('message', async ({ number, question, given }: Question) => {
    const work = answers[question]
    if (work === undefined) return
    try {
      process.send?.({ number, value: await work(given) })
    } catch (error) {
      process.send?.({ number, failure: (error as Error).stack })
    }
  })
  process.once('disconnect', () => process.exit())
}
