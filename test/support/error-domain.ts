// Replaces async-hook-domain, by which tap finds the test of an error that nothing catches. That package follows every promise
// of the process, which takes up to 15 % of a test's time. An error here fails the file.

type Report = (error: unknown, event: 'uncaughtException' | 'unhandledRejection') => void

const reports: Report[] = []

export class Domain {
  readonly #report: Report

  constructor(report: Report) {
    this.#report = report
    reports.push(report)
  }

  destroy(): void {
    const index = reports.indexOf(this.#report)
    if (index >= 0) reports.splice(index, 1)
  }
}

for (const event of ['uncaughtException', 'unhandledRejection'] as const)
  process.on(event, (error: unknown) => {
    const [report] = reports
    if (report === undefined) throw error
    report(error, event)
  })
