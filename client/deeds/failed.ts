import { FAILURES } from '#shared/messages.ts'
import { ApiError } from '../api/api-error.ts'
import { type Toast, toasts } from '../lib/toasts.ts'

/** Says what did not work. After a conflict somebody else was faster: reading again comes before trying again. */
export function tellFailure(text: string, error: unknown, reload: () => void, offer?: Toast['action']): void {
  if (error instanceof ApiError && error.status === 409) {
    const { title, text: why } = FAILURES.conflict
    const deed = text.endsWith('.') ? text : `${text}.`
    toasts.failed(`${deed} ${title}. ${why}`, { label: 'Reload', onAct: reload })
  } else toasts.failed(text, offer)
}
