// The state of the replaced container engine (engine.ts), which a test prepares and reads.
export interface Engine {
  settings: Record<string, string>
  images: Record<string, Record<string, string>>
  addresses: string[]
  containers: Container[]
}

interface Container {
  address: string
  id: string
  pid: number
  image: string
}

export function isRunning({ pid }: Container): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
