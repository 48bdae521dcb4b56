// Functions of react-router and react-dom that this portal never needs and that no bundler can tell: fetchers and form
// submissions (reading and writing go through SWR), rendering on a server, telemetry, style sheets and scripts as
// components, view transitions. The build leaves out their bodies, and stops when it does not find one, as after an
// update of the library: then its new version is to be read for what the names below stand for.
import type { Plugin } from 'vite'

// A call after all is loud: it must never pass for work that was done.
const REFUSE = '{ throw Error("left out of this build") }'
// Walks through the page that look for view transitions only, of which there is none.
const NOTHING = '{}'

interface Leavings {
  /** The modules that have such functions. */
  module: RegExp
  /** By a function's name, what stands in the place of its body. */
  bodies: Readonly<Record<string, string>>
}

const refuse = (...names: string[]) => Object.fromEntries(names.map((name) => [name, REFUSE]))
const skip = (...names: string[]) => Object.fromEntries(names.map((name) => [name, NOTHING]))
const methods = (of: string, ...names: string[]) => names.map((name) => `${of}.prototype.${name}`)

const UNREACHED: readonly Leavings[] = [
  {
    module: /react-router\/dist\/production\/chunk-\w+\.mjs$/,
    bodies: {
      ...refuse('fetch2', 'handleFetcherAction', 'handleFetcherLoader'),
      ...refuse('handleAction', 'convertFormDataToSearchParams'),
      normalizeNavigateOptions: '{ return { path } }',
      ...refuse('PrefetchPageLinks', 'RSCErrorHandler', 'discoverRoutes', 'deserializeErrors'),
      usePrefetchBehavior: '{ return [false, undefined, {}] }',
      ...refuse('instrumentClientSideRouter', 'getRouteInstrumentationUpdates', 'enableScrollRestoration'),
      useViewTransitionState: '{ return false }'
    }
  },
  {
    module: /react-dom\/cjs\/react-dom-client\.production\.js$/,
    bodies: {
      // Taking over a page that a server rendered.
      popHydrationState: '{ return false }',
      ...refuse('prepareToHydrateHostInstance', 'canHydrateInstance', 'canHydrateTextInstance'),
      ...refuse('canHydrateHydrationBoundary', 'mountHostRootWithoutHydrating', 'throwOnHydrationMismatch'),
      ...refuse('updateDehydratedSuspenseComponent', 'createFiberFromDehydratedFragment'),
      ...refuse('attemptExplicitHydrationTarget', 'clearHydrationBoundary', 'hideOrUnhideDehydratedBoundary'),
      // Style sheets, scripts and head elements as components.
      ...refuse('preload', 'preloadModule', 'preinitStyle', 'preinitScript', 'preinitModuleScript'),
      ...refuse('getResource', 'acquireResource', 'suspendResource', 'createHoistableInstance'),
      ...refuse('insertStylesheet', 'insertSuspendedStylesheets', 'insertStylesheetIntoRoot'),
      ...refuse(
        'preloadStylesheet',
        'getHydratableHoistableCache',
        'mountHoistable',
        'resolveSingletonInstance'
      ),
      // Traces of components in errors, which nobody reads in a build.
      describeNativeComponentFrame: '{ return "" }',
      // References to fragments: there are none.
      ...refuse('FragmentInstance', 'commitNewChildToFragmentInstance', 'deleteChildFromFragmentInstance'),
      ...refuse('validateDocumentPositionWithFiberTree', 'getFragmentInstanceOrTextInstanceSiblings'),
      ...refuse(...methods('FragmentInstance', 'addEventListener', 'removeEventListener', 'dispatchEvent')),
      ...refuse(...methods('FragmentInstance', 'focus', 'focusLast', 'blur', 'scrollIntoView')),
      ...refuse(...methods('FragmentInstance', 'observeUsing', 'unobserveUsing', 'getClientRects')),
      ...refuse(...methods('FragmentInstance', 'getRootNode', 'compareDocumentPosition')),
      ...skip('commitFragmentInstanceInsertionEffects', 'commitFragmentInstanceDeletionEffects'),
      ...skip('commitNewChildToFragmentInstances'),
      // Components, elements and hooks that the portal does not use.
      ...refuse('setPropOnCustomElement', 'mountActionState', 'updateActionStateImpl'),
      ...refuse('rerenderActionState', 'runActionStateAction', 'dispatchActionState'),
      ...refuse('updateSuspenseListComponent', 'updateActivityComponent'),
      ...refuse('startViewTransition', 'createViewTransitionInstance', 'applyViewTransitionName'),
      ...refuse('measureViewTransitionHostInstancesRecursive', 'applyViewTransitionToHostInstancesRecursive'),
      ...refuse('getViewTransitionClassName', 'restoreViewTransitionName', 'scheduleViewTransitionEvent'),
      ...skip('commitEnterViewTransitions', 'commitExitViewTransitions', 'commitNestedViewTransitions'),
      ...skip('commitAppearingPairViewTransitions', 'commitDeletedPairViewTransitions'),
      ...skip('restorePairedViewTransitions', 'restoreEnterOrExitViewTransitions'),
      ...skip('restoreNestedViewTransitions', 'measureNestedViewTransitions')
    }
  }
]

// Both keep components in the bundle that nothing shows: names for developer tools, and calls that could do anything.
const DISPLAY_NAME = /^\w+\.displayName = "\w+";$/gm
const COMPONENT = /^(var \w+ = )(React\d*\.forwardRef\()/gm

interface Node {
  type: string
  start: number
  end: number
  id?: { name: string } | null
  body?: Node
  left?: Node
  right?: Node
}

/** Functions with their names: declared ones, and those that are assigned to something. */
function* functionsIn(node: unknown, code: string): Generator<{ name: string; body: Node }> {
  if (typeof node !== 'object' || node === null) return
  const { type, id, body, left, right } = node as Node
  if (type === 'FunctionDeclaration' && id && body) yield { name: id.name, body }
  if (type === 'AssignmentExpression' && left && right?.type === 'FunctionExpression' && right.body)
    yield { name: code.slice(left.start, left.end), body: right.body }
  for (const child of Object.values(node)) yield* functionsIn(child, code)
}

export function leaveOutUnreached(): Plugin {
  let missing = new Set<string>()
  return {
    name: 'leave-out-unreached',
    apply: 'build',
    buildStart() {
      missing = new Set(UNREACHED.flatMap(({ bodies }) => Object.keys(bodies)))
    },
    transform: {
      filter: { id: UNREACHED.map(({ module }) => module) },
      handler(code, id) {
        const bodies = UNREACHED.find(({ module }) => module.test(id))?.bodies ?? {}
        const cuts: { start: number; end: number; text: string }[] = []
        for (const { name, body } of functionsIn(this.parse(code), code)) {
          const text = bodies[name]
          if (!text || !missing.delete(name)) continue
          cuts.push({ start: body.start, end: body.end, text })
        }
        let left = code
        for (const { start, end, text } of cuts.sort((a, b) => b.start - a.start))
          left = left.slice(0, start) + text + left.slice(end)
        return { code: left.replace(DISPLAY_NAME, '').replace(COMPONENT, '$1/* @__PURE__ */ $2'), map: null }
      }
    },
    buildEnd(error) {
      if (!error && missing.size > 0) this.error(`not found any more: ${[...missing].join(', ')}`)
    }
  }
}
