// Who is signed in in this browser: one session for all its tabs, so a sign-in in another tab may make it somebody else's.
import { useEffect, useState } from 'react'
import { recall, remember } from '../lib/store.ts'
import { useSession } from './session.ts'

const STORED = 'portal.person'

interface Person {
  id: string
  fullName: string
}

/** The other person that has signed in since; null as long as it is the same. */
export function useOtherPerson(): Person | null {
  const { user } = useSession()
  const { id, fullName } = user
  const [other, setOther] = useState<Person | null>(null)
  useEffect(() => {
    remember(STORED, { id, fullName })
    const look = () => {
      const now = recall<Person>(STORED)
      setOther(now && now.id !== id ? now : null)
    }
    window.addEventListener('storage', look)
    document.addEventListener('visibilitychange', look)
    return () => {
      window.removeEventListener('storage', look)
      document.removeEventListener('visibilitychange', look)
    }
  }, [id, fullName])
  return other
}
