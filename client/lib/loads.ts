// Runs many loads, a few in parallel. Each load has its own state and can be cancelled and retried.
import { useEffect, useState } from 'react'
import { createStore } from 'zustand/vanilla'
import { mayRecover, useRetry } from './http/retry.ts'

export type LoadState<T> =
  | { state: 'waiting' | 'loading' }
  | { state: 'ready'; value: T }
  | { state: 'failed'; error: unknown }
  | { state: 'cancelled' }

const isOpen = (load: LoadState<unknown> | undefined) =>
  load?.state === 'waiting' || load?.state === 'loading'

export interface Wanted<T> {
  key: string
  load: (signal: AbortSignal) => Promise<T>
}

export type Loads<T> = ReturnType<typeof createLoads<T>>

interface Entry<T> {
  wanted: Wanted<T>
  controller: AbortController
}

export function createLoads<T>(atOnce: number) {
  const entries = new Map<string, Entry<T>>()
  const store = createStore<ReadonlyMap<string, LoadState<T>>>(() => new Map())
  let running = 0

  function change(edit: (newStates: Map<string, LoadState<T>>) => void) {
    const newStates = new Map(store.getState())
    edit(newStates)
    store.setState(newStates, true)
  }

  function startNext() {
    for (const [key, entry] of entries) {
      if (running >= atOnce) return
      if (store.getState().get(key)?.state === 'waiting') void start(key, entry)
    }
  }

  async function start(key: string, { wanted, controller }: Entry<T>) {
    running += 1
    change((newStates) => newStates.set(key, { state: 'loading' }))
    // Ignore the result of a load that was cancelled or replaced.
    const settle = (state: LoadState<T>) => {
      if (entries.get(key)?.controller === controller && !controller.signal.aborted)
        change((newStates) => newStates.set(key, state))
    }
    try {
      const value = await wanted.load(controller.signal)
      settle({ state: 'ready', value })
    } catch (error) {
      settle({ state: 'failed', error })
    } finally {
      running -= 1
      startNext()
    }
  }

  function cancel(keys: readonly string[]) {
    const runningKeys = keys.filter((key) => isOpen(store.getState().get(key)))
    if (runningKeys.length === 0) return
    for (const key of runningKeys) entries.get(key)?.controller.abort()
    change((newStates) => {
      for (const key of runningKeys) newStates.set(key, { state: 'cancelled' })
    })
  }

  return {
    /** Starts new loads, and aborts and removes loads that are not in `wantedLoads`. All other loads stay as they are. */
    want(wantedLoads: readonly Wanted<T>[]) {
      const keys = new Set(wantedLoads.map(({ key }) => key))
      const removedKeys = [...entries.keys()].filter((key) => !keys.has(key))
      const newLoads = wantedLoads.filter(({ key }) => !entries.has(key))
      if (removedKeys.length + newLoads.length === 0) return
      for (const key of removedKeys) {
        entries.get(key)?.controller.abort()
        entries.delete(key)
      }
      for (const wanted of newLoads) entries.set(wanted.key, { wanted, controller: new AbortController() })
      change((newStates) => {
        for (const key of removedKeys) newStates.delete(key)
        for (const { key } of newLoads) newStates.set(key, { state: 'waiting' })
      })
      startNext()
    },
    cancel: (key: string) => cancel([key]),
    cancelAll: () => cancel([...entries.keys()]),
    retry(key: string) {
      const entry = entries.get(key)
      if (!entry) return
      entry.controller.abort()
      entries.set(key, { wanted: entry.wanted, controller: new AbortController() })
      change((newStates) => newStates.set(key, { state: 'waiting' }))
      startNext()
    },
    store,
    /** Aborts and removes all loads. */
    close() {
      for (const { controller } of entries.values()) controller.abort()
      entries.clear()
      store.setState(new Map(), true)
    }
  }
}

/**
 * Calls `show` with the states of the loads until the returned function is called: at the first change at once, then at most
 * once in `pauseMs`, and at once when no load is open.
 */
export function followLoads<T>(
  { store }: Loads<T>,
  pauseMs: number,
  show: (states: ReadonlyMap<string, LoadState<T>>) => void
): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  let shownStates = store.getState()
  const showNow = () => {
    shownStates = store.getState()
    show(shownStates)
    clearTimeout(timer)
    timer = setTimeout(endPause, pauseMs)
  }
  const endPause = () => {
    timer = undefined
    if (store.getState() !== shownStates) showNow()
  }
  const unfollow = store.subscribe((states) => {
    if (timer === undefined || ![...states.values()].some(isOpen)) showNow()
  })
  return () => {
    clearTimeout(timer)
    unfollow()
  }
}

/**
 * Runs the wanted loads, at most `atOnce` in parallel, until the component unmounts.
 * @param pauseMs how long a result may wait for others, to be shown together with them
 */
export function useLoads<T>(
  wanted: readonly Wanted<T>[],
  atOnce: number,
  pauseMs = 0
): { loads: Loads<T>; states: ReadonlyMap<string, LoadState<T>> } {
  const [loads] = useState(() => createLoads<T>(atOnce))
  const [states, setStates] = useState(loads.store.getState)
  useEffect(() => followLoads(loads, pauseMs, setStates), [loads, pauseMs])
  useEffect(() => loads.want(wanted))
  useEffect(() => () => loads.close(), [loads])
  const failures = [...states].flatMap(([key, load]) =>
    load.state === 'failed' && mayRecover(load.error) ? [{ key, error: load.error }] : []
  )
  useRetry(failures[0]?.error, false, () => {
    for (const { key } of failures) loads.retry(key)
  })
  return { loads, states }
}
