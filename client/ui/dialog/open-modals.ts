// The open modal dialogs, the topmost last: what is outside the topmost one is inert.
import { createStore } from 'zustand/vanilla'

export const openModals = createStore<readonly HTMLDialogElement[]>(() => [])
