// Calls that nobody waits for take turns: those of one name follow each other with a gap, however many ask.
import { setTimeout as sleep } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import type { Clock } from '../../types.ts'
import type { Viewer } from '../../upstreams/visibility.ts'

const NAMES_MAX = 10_000

/** Resolves when it is the turn of another call; rejects when `signal` is aborted. */
export type Turn = (name: string, signal: AbortSignal) => Promise<void>

/** @param gapMs between two turns of a name, at least */
export function createTurns(gapMs: number, clock: Clock): Turn {
  const next = new LRUCache<string, number>({ max: NAMES_MAX })
  return async (name, signal) => {
    const now = clock()
    const booked = next.get(name) ?? now
    // Of what was booked far ahead, by a clock that was set back since, nothing holds.
    const at = Math.max(now, Math.min(booked, now + BOOKED_MAX * gapMs))
    next.set(name, at + gapMs)
    if (at > now) await sleep(at - now, undefined, { signal })
    signal.throwIfAborted()
  }
}

/** Calls under way at a time are fewer: pages of one list. */
const BOOKED_MAX = 100

/** The viewer, whose every call (each try of it) waits for its turn before it is sent. */
export function pacedViewer(viewer: Viewer, turn: () => Promise<void>): Viewer {
  return {
    ...viewer,
    async accessToken() {
      await turn()
      return viewer.accessToken()
    },
    async replaceToken(refused) {
      await turn()
      return viewer.replaceToken(refused)
    }
  }
}
