// The browser's storage; without access to it, nothing is kept. Preferences and saved views stay. Everything else
// belongs to a person, and is removed when that person signs out or another one signs in.
const PERSON = 'portal.person'
const PREFERENCES =
  /^portal\.(theme|zone|support|alarm-sound|usage-card|projects-collapsed|rail|history-points-collapsed|density|device-views\..+|columns\..+)$/

interface Person {
  id: string
  fullName: string
}

type Kept = 'localStorage' | 'sessionStorage'

export function recall<T>(key: string, kept: Kept = 'localStorage'): T | null {
  try {
    const text = window[kept].getItem(key)
    return text === null ? null : (JSON.parse(text) as T)
  } catch {
    return null
  }
}

export function remember(key: string, value: unknown, kept: Kept = 'localStorage'): void {
  try {
    window[kept].setItem(key, JSON.stringify(value))
  } catch {}
}

export const recallPerson = (): Person | null => recall<Person>(PERSON)

/** Removes the previous person's data. */
export function rememberPerson({ id, fullName }: Person): void {
  const before = recallPerson()
  if (before !== null && before.id !== id) forgetPerson()
  remember(PERSON, { id, fullName })
}

export function forgetPerson(): void {
  try {
    for (const key of Object.keys(localStorage)) if (!PREFERENCES.test(key)) localStorage.removeItem(key)
  } catch {}
}
