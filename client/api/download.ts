import { ApiError, isAbort, UNREACHABLE_STATUS } from './api-error.ts'
import { answerOf } from './request.ts'

/**
 * Hands a file to the browser, which fetches it by itself with the session's cookie: its size does not matter, and it
 * can be resumed. The answer's beginning is asked for before: a file that is gone is told here, not as a download that
 * failed. Throws an ApiError.
 */
export async function download(path: string): Promise<void> {
  const trial = new AbortController()
  try {
    await answerOf(path, { signal: trial.signal })
  } catch (error) {
    throw error instanceof ApiError || isAbort(error) ? error : new ApiError(UNREACHABLE_STATUS)
  } finally {
    trial.abort()
  }
  const link = document.createElement('a')
  link.href = path
  link.download = ''
  document.body.append(link)
  link.click()
  link.remove()
}
