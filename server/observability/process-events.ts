// Logs what happens to the process outside of calls: unhandled errors, and warnings of Node and libraries.
import type { Log } from '../types.ts'

/** @param onRejection called for each unhandled rejection */
export function logProcessEvents(process: NodeJS.Process, log: Log, onRejection: () => void): void {
  // An unhandled rejection does not affect running calls, so the process continues.
  process.on('unhandledRejection', (err) => {
    log.error({ err }, 'unhandled rejection')
    onRejection()
  })
  // After an uncaught exception the state is unknown, so the process exits. Node's own output could contain secrets.
  process.on('uncaughtException', (err) => {
    log.fatal({ err }, 'uncaught exception')
    process.exit(1)
  })
  // Otherwise Node and libraries write warnings as plain text between the JSON lines.
  process.removeAllListeners('warning')
  process.on('warning', (err) => log.warn({ err }, 'warning of the process'))
  for (const level of ['warn', 'error'] as const)
    console[level] = (...texts: unknown[]) => log[level]({ reason: texts.join(' ') }, 'warning of a library')
}
