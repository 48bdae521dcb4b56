import { useState } from 'react'
import { recall, remember } from './storage.ts'

/** State that is stored in this browser. */
export function useStored<T>(key: string, initialValue: T): [T, (value: T) => void] {
  const [value, setValue] = useState(() => recall<T>(key) ?? initialValue)
  return [
    value,
    (newValue) => {
      setValue(newValue)
      remember(key, newValue)
    }
  ]
}
