// Creates the logger. Logs only message, code and stack of an error: libraries attach answers, commands and parameters to
// errors, which may contain secrets. Shortens texts from callers.
import pino, { type DestinationStream, type Logger } from 'pino'
import { excerpt } from '#shared/excerpt.ts'

interface LoggedError {
  type: string
  message: string
  stack?: string
  code?: string | number
  /** Status of an HTTP answer. */
  status?: number
  /** The authority's error and description (RFC 6749, section 5.2). */
  error?: string
  description?: string
  cause?: LoggedError
}

const CAUSES_MAX = 4
const MESSAGE_MAX_CHARACTERS = 1_000
/** Limit of the reason for a refusal. */
const REASON_MAX_CHARACTERS = 300
const DESCRIPTION_MAX_CHARACTERS = 300
const NAME = /^[\w.:-]{1,64}$/

/** The parts of an error that contain no secrets. */
export function loggedError(error: unknown, depth = 0): LoggedError {
  if (!(error instanceof Error))
    return { type: typeof error, message: NAME.test(String(error)) ? String(error) : '' }
  const { name, code, status, cause } = error as Error & Record<'code' | 'status', unknown>
  return {
    type: name,
    // A parser's message quotes its input.
    message: error instanceof SyntaxError ? 'invalid syntax' : excerpt(error.message, MESSAGE_MAX_CHARACTERS),
    ...(error.stack === undefined || depth > 0 ? {} : { stack: framesOf(error.stack) }),
    ...(typeof code === 'number' || NAME.test(String(code ?? '')) ? { code: code as string } : {}),
    ...(typeof status === 'number' ? { status } : {}),
    ...refusalOf(error),
    ...(cause instanceof Error && depth < CAUSES_MAX ? { cause: loggedError(cause, depth + 1) } : {})
  }
}

/** The stack without its message. */
function framesOf(stack: string): string {
  const frames = stack.split('\n').filter((line) => /^\s+at /.test(line))
  return frames.map((line) => line.trim()).join('\n')
}

/** The OAuth error of the token endpoint. Other OAuth errors may contain any text from a browser. */
function refusalOf(error: Error): Pick<LoggedError, 'error' | 'description'> {
  if (error.name !== 'ResponseBodyError') return {}
  const { error: kind, error_description: text } = error as Error & Record<string, unknown>
  return {
    ...(NAME.test(String(kind)) ? { error: String(kind) } : {}),
    ...(typeof text === 'string' ? { description: excerpt(text, DESCRIPTION_MAX_CHARACTERS) } : {})
  }
}

/** @param level a level of pino; does not apply to the audit trail */
export function createLog(level: string, destination?: DestinationStream): Logger {
  const serializers = {
    err: (error: unknown) => loggedError(error),
    reason: (reason: unknown) => excerpt(String(reason), REASON_MAX_CHARACTERS)
  }
  const formatters = { level: (label: string) => ({ level: label }) }
  const options = { level, serializers, formatters }
  return destination ? pino(options, destination) : pino(options)
}
