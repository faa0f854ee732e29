// Keeps the page's own files, so that it opens offline; questions always go to the service.

/** The build: another one has other files. */
const CACHE = 'bestmove-4eed9a3b3fb8';

/** The page, and all files that it and its scripts name. */
async function fetchAll() {
  const cache = await caches.open(CACHE);
  const wanted = ['/', '/docs', '/icon.svg', '/manifest.webmanifest'];
  for (const path of wanted) {
    // The root is a page to those that ask for one.
    const response = await fetch(path, { headers: { accept: 'text/html,*/*' } });
    if (!response.ok) throw new Error(`${path}: ${response.status}`);
    await cache.put(path, response.clone());
    if (!/html|script/.test(response.headers.get('content-type') ?? '')) continue;
    const named = (await response.text()).match(/assets\/[\w.-]+\.(?:js|css)/g) ?? [];
    for (const name of named) if (!wanted.includes(`/${name}`)) wanted.push(`/${name}`);
  }
  // Files of an earlier build.
  for (const { url } of await cache.keys()) if (!wanted.includes(new URL(url).pathname)) await cache.delete(url);
}

async function dropOlder() {
  for (const name of await caches.keys()) if (name !== CACHE) await caches.delete(name);
  await self.clients.claim();
}

self.addEventListener('install', (event) => event.waitUntil(fetchAll().then(() => self.skipWaiting())));
self.addEventListener('activate', (event) => event.waitUntil(dropOlder()));

/** Of the page: its root and its files. All else is the service's. */
const own = (url) => url.pathname === '/' || url.pathname === '/docs' || url.pathname.startsWith('/assets/') || /^\/(icon\.svg|manifest\.webmanifest)$/.test(url.pathname);

async function freshOrKept(request) {
  const cache = await caches.open(CACHE);
  try {
    const response = await fetch(request);
    if (response.ok) await cache.put(request, response.clone());
    return response;
  } catch (error) {
    const kept = await cache.match(request, { ignoreVary: true });
    if (kept) return kept;
    throw error;
  }
}

self.addEventListener('fetch', (event) => {
  if (event.request.method === 'GET' && own(new URL(event.request.url))) event.respondWith(freshOrKept(event.request));
});
