import { useState } from 'react'
import { recall, rememberIfPossible } from './storage.ts'

/** State that is stored in this browser, and a function that changes it; false if the value could not be stored. */
export function useStored<T>(key: string, initialValue: T): [T, (value: T) => boolean] {
  const [value, setValue] = useState(() => recall<T>(key) ?? initialValue)
  return [
    value,
    (newValue) => {
      setValue(newValue)
      return rememberIfPossible(key, newValue)
    }
  ]
}
