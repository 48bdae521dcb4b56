import { useState } from 'react'
import { recall, remember } from './storage.ts'

/** State that this browser remembers. */
export function useStored<T>(key: string, first: T): [T, (value: T) => void] {
  const [value, setValue] = useState(() => recall<T>(key) ?? first)
  return [
    value,
    (next) => {
      setValue(next)
      remember(key, next)
    }
  ]
}
