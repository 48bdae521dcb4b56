// The browser's storage. Without access to it, nothing is stored. Preferences and saved views stay. All other values
// belong to a person, and are removed when that person signs out or another person signs in.
const PERSON = 'portal.person'
const PREFERENCES =
  /^portal\.(theme|zone|support|alarm-notifications|usage-card|projects-collapsed|rail|history-points-collapsed|density|customers-view|device-views\..+|columns\..+)$/

interface Person {
  id: string
  fullName: string
}

type StorageName = 'localStorage' | 'sessionStorage'

export function recall<T>(key: string, storageName: StorageName = 'localStorage'): T | null {
  try {
    const text = window[storageName].getItem(key)
    return text === null ? null : (JSON.parse(text) as T)
  } catch {
    return null
  }
}

export function remember(key: string, value: unknown, storageName: StorageName = 'localStorage'): void {
  rememberIfPossible(key, value, storageName)
}

/** Returns false if the value could not be stored. */
export function rememberIfPossible(
  key: string,
  value: unknown,
  storageName: StorageName = 'localStorage'
): boolean {
  try {
    window[storageName].setItem(key, JSON.stringify(value))
    return true
  } catch {
    return false
  }
}

export const recallPerson = (): Person | null => recall<Person>(PERSON)

/** Stores who is signed in. Removes the data of another person who was signed in before. */
export function rememberPerson({ id, fullName }: Person): void {
  const previousPerson = recallPerson()
  if (previousPerson !== null && previousPerson.id !== id) forgetPerson()
  remember(PERSON, { id, fullName })
}

export function forgetPerson(): void {
  try {
    for (const key of Object.keys(localStorage)) if (!PREFERENCES.test(key)) localStorage.removeItem(key)
  } catch {}
}
