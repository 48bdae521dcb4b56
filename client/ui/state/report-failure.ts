import { ApiError, isInputRefused, refusalText } from '../../lib/http/api-error.ts'
import { type Offer, toasts } from './toasts.ts'

/**
 * Reports a failure. Refused input would be refused again, and after a conflict a repetition could overwrite newer data: the
 * message says why, and keeps only a link to the input. After a conflict without a link, it offers Reload.
 */
export function reportFailure(text: string, error: unknown, reload: () => void, offer?: Offer): void {
  const explained = `${text.endsWith('.') ? text : `${text}.`} ${refusalText(error)}`
  const link = offer?.to ? offer : undefined
  if (isInputRefused(error)) toasts.failed(explained, link)
  else if (error instanceof ApiError && error.status === 409)
    toasts.failed(explained, link ?? { label: 'Reload', onAct: reload })
  else toasts.failed(text, offer)
}
