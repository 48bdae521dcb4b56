// Who is signed in in this browser: one session for all its tabs, so a sign-in in another tab may make it somebody else's.
import { useEffect, useState } from 'react'
import { recallPerson } from '../lib/store.ts'
import { useSession } from './session.ts'

/** The other person that has signed in since; null as long as it is the same. */
export function useOtherPerson(): ReturnType<typeof recallPerson> {
  const { id } = useSession().user
  const [other, setOther] = useState<ReturnType<typeof recallPerson>>(null)
  useEffect(() => {
    const look = () => {
      const now = recallPerson()
      setOther(now && now.id !== id ? now : null)
    }
    // It may have happened before anybody listened.
    look()
    window.addEventListener('storage', look)
    document.addEventListener('visibilitychange', look)
    return () => {
      window.removeEventListener('storage', look)
      document.removeEventListener('visibilitychange', look)
    }
  }, [id])
  return other
}
