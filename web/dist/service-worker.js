// Keeps the page's own files, so that it opens offline; questions always go to the service.

const CACHE = 'bestmove-1';

self.addEventListener('install', (event) => event.waitUntil(caches.open(CACHE).then((cache) => cache.add('/')).then(() => self.skipWaiting())));
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));

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
