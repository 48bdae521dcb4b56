// Messages about what was done: each shows for a while, and the last ones are kept, so that a Retry is never lost (§9).
export interface Toast {
  id: number
  tone: 'ok' | 'danger' | 'info'
  text: string
  /** An offer such as Retry: a deed, or an address. */
  action?: { label: string; onAct?: () => void; to?: string }
  /** The page's clock. */
  atMs: number
}

const RECENT_MAX = 20

export interface ToastState {
  shown: readonly Toast[]
  /** The newest first, shown ones among them. */
  recent: readonly Toast[]
}

let state: ToastState = { shown: [], recent: [] }
let lastId = 0
const listeners = new Set<() => void>()

function change(next: ToastState): void {
  state = next
  for (const listener of listeners) listener()
}

function show(tone: Toast['tone'], text: string, action?: Toast['action']): void {
  lastId += 1
  const toast: Toast = { id: lastId, tone, text, atMs: Date.now(), ...(action ? { action } : {}) }
  change({ shown: [...state.shown, toast], recent: [toast, ...state.recent].slice(0, RECENT_MAX) })
}

export const toasts = {
  ok: (text: string, action?: Toast['action']) => show('ok', text, action),
  failed: (text: string, action?: Toast['action']) => show('danger', text, action),
  info: (text: string, action?: Toast['action']) => show('info', text, action),
  dismiss: (id: number) => change({ ...state, shown: state.shown.filter((toast) => toast.id !== id) }),
  /** Another person at the same tab must not read them. */
  forget: () => change({ shown: [], recent: [] }),
  read: () => state,
  subscribe(listener: () => void): () => void {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }
}
