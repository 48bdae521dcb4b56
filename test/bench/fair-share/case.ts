// Shared by the cases of `fair-share`: a gateway for each turn, while other people call at a fixed rate.
import type { Bench } from '../frame.ts'
import type { Server } from '../program.ts'
import type { Load, Scene } from '../scene.ts'

/** Other calls per second, proxied to an upstream that answers at once. */
export const RATE = 200
export const OTHERS_GOAL = 1.5
export const ROUNDS_MIN = 2
export const CUSTOMERS = 45
/** Devices of each customer. */
export const DEVICES = 100
const WARM_UP_SECONDS = 2

export interface Setup {
  bench: Bench
  scene: Scene
  load: Load
}

/** Measures what one kind of attack does to others. Returns tables. */
export interface Case {
  name: string
  /** Its share of the measuring time. */
  share: number
  measure(setup: Setup, seconds: number): Promise<string>
}

/** Runs a turn with a gateway of its own, because limits per minute and counts in memory would outlast the turn. */
export async function withGateway<T>(
  { scene, load }: Setup,
  measure: (gateway: Server) => Promise<T>,
  settings: Record<string, string> = {}
): Promise<T> {
  const gateway = await scene.startGateway({ CALLS_IN_FLIGHT: '1000', ...settings })
  await load.paced(gateway.origin, RATE, WARM_UP_SECONDS)
  const figures = await measure(gateway)
  await gateway.stop()
  return figures
}
