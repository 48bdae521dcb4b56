// Temporary messages. Recent messages are stored after they close, so that their Retry stays available.
import { createStore } from 'zustand/vanilla'

export interface Offer {
  label: string
  onAct?: () => void
  to?: string
  /** Whether the action is available only until the message closes. */
  brief?: boolean
}

export interface Toast {
  id: number
  tone: 'ok' | 'danger' | 'info'
  text: string
  action?: Offer
  /** Time of the message by the page's clock. */
  atMs: number
}

const RECENT_MAX = 20

interface ToastState {
  shown: readonly Toast[]
  recent: readonly Toast[]
}

const NONE: ToastState = { shown: [], recent: [] }
let lastId = 0
export const toastStore = createStore(() => NONE)

function show(tone: Toast['tone'], text: string, action?: Offer): number {
  lastId += 1
  const toast: Toast = { id: lastId, tone, text, atMs: Date.now(), ...(action ? { action } : {}) }
  toastStore.setState(({ shown, recent }) => ({
    shown: [...shown, toast],
    recent: [toast, ...recent].slice(0, RECENT_MAX)
  }))
  return toast.id
}

/** Each returns the id of its message. */
export const toasts = {
  ok: (text: string, action?: Offer) => show('ok', text, action),
  failed: (text: string, action?: Offer) => show('danger', text, action),
  info: (text: string, action?: Offer) => show('info', text, action),
  dismiss: (id: number) =>
    toastStore.setState(({ shown }) => ({ shown: shown.filter((toast) => toast.id !== id) })),
  /** Removes all messages, because another person signs in. */
  forget: () => toastStore.setState(NONE),
  read: toastStore.getState
}
