// Runs the tasks that program.ts sends over IPC, and exits with the parent process.

interface Message {
  number: number
  task: string
  input: never
}

export function answer(answers: Record<string, (input: never) => unknown>): void {
  process.on('message', async ({ number, task, input }: Message) => {
    const work = answers[task]
    if (work === undefined) return
    try {
      process.send?.({ number, value: await work(input) })
    } catch (error) {
      process.send?.({ number, failure: (error as Error).stack })
    }
  })
  process.once('disconnect', () => process.exit())
}
