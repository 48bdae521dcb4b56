// Functions of react-router that this portal never calls and that no bundler can tell: for fetchers and form
// submissions (reading and writing go through SWR), rendering on a server, telemetry, scrolling and view transitions.
// The build leaves out their bodies, and stops when one is not found, as after an update of the library.
import type { Plugin } from 'vite'

const MODULE = /react-router\/dist\/production\/chunk-\w+\.mjs$/
// A call after all is loud: it must never pass for work that was done.
const REFUSE = '{ throw Error("left out of this build") }'

/** By its name, what stands in the place of each body. */
const BODIES: Readonly<Record<string, string>> = {
  fetch2: REFUSE,
  handleFetcherAction: REFUSE,
  handleFetcherLoader: REFUSE,
  handleAction: REFUSE,
  convertFormDataToSearchParams: REFUSE,
  normalizeNavigateOptions: '{ return { path } }',
  PrefetchPageLinks: REFUSE,
  usePrefetchBehavior: '{ return [false, undefined, {}] }',
  RSCErrorHandler: REFUSE,
  discoverRoutes: REFUSE,
  instrumentClientSideRouter: REFUSE,
  getRouteInstrumentationUpdates: REFUSE,
  enableScrollRestoration: REFUSE,
  useViewTransitionState: '{ return false }',
  deserializeErrors: REFUSE
}

// Both keep components in the bundle that nothing shows: names for developer tools, and calls that could do anything.
const DISPLAY_NAME = /^\w+\.displayName = "\w+";$/gm
const COMPONENT = /^(var \w+ = )(React\d*\.forwardRef\()/gm

interface Node {
  type: string
  start: number
  end: number
  id?: { name: string } | null
  body?: Node
}

function* functionsIn(node: unknown): Generator<Node> {
  if (typeof node !== 'object' || node === null) return
  if ((node as Node).type === 'FunctionDeclaration') yield node as Node
  for (const child of Object.values(node)) yield* functionsIn(child)
}

export function leaveOutUnreached(): Plugin {
  let missing = new Set<string>()
  return {
    name: 'leave-out-unreached',
    apply: 'build',
    buildStart() {
      missing = new Set(Object.keys(BODIES))
    },
    transform: {
      filter: { id: MODULE },
      handler(code) {
        const cuts: { start: number; end: number; text: string }[] = []
        for (const { id, body } of functionsIn(this.parse(code))) {
          const text = id && BODIES[id.name]
          if (!text || !body || !missing.delete(id.name)) continue
          cuts.push({ start: body.start, end: body.end, text })
        }
        let left = code
        for (const { start, end, text } of cuts.sort((a, b) => b.start - a.start))
          left = left.slice(0, start) + text + left.slice(end)
        return { code: left.replace(DISPLAY_NAME, '').replace(COMPONENT, '$1/* @__PURE__ */ $2'), map: null }
      }
    },
    buildEnd(error) {
      if (!error && missing.size > 0) this.error(`react-router has no ${[...missing].join(', ')} any more`)
    }
  }
}
