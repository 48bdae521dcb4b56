// A link that opens the registration with the placement filled in, for whoever stands at the device.
export interface Placement {
  customerId: string
  customerName: string
  projectId: string
  deviceName: string
  location: string
}

export const NO_PLACEMENT: Placement = {
  customerId: '',
  customerName: '',
  projectId: '',
  deviceName: '',
  location: ''
}

const NAMES = Object.keys(NO_PLACEMENT) as (keyof Placement)[]

export function registrationLink(origin: string, placement: Placement): string {
  const query = new URLSearchParams()
  for (const name of NAMES) if (placement[name].trim()) query.set(name, placement[name].trim())
  const text = query.toString()
  return `${origin}/registerdevice${text && `?${text}`}`
}

export function placementOf(query: URLSearchParams): Placement {
  return Object.fromEntries(NAMES.map((name) => [name, query.get(name) ?? ''])) as unknown as Placement
}
