//! TLS on the sockets of the service.

use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use axum_server::tls_rustls::{RustlsAcceptor, RustlsConfig};
use rustls::ServerConfig;
use rustls::crypto::ring;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};

use crate::config::Config;

/// A certificate with its key, from files that may change.
#[derive(Clone, Debug)]
pub(super) struct Certificate {
    chain: PathBuf,
    key: PathBuf,
    current: RustlsConfig,
}

impl Certificate {
    /// Reads the certificate, if the settings name one.
    ///
    /// # Errors
    /// When a file cannot be read, or the two do not fit.
    pub(super) fn read(config: &Config) -> io::Result<Option<Self>> {
        let (Some(chain), Some(key)) = (config.tls_cert.clone(), config.tls_key.clone()) else {
            return Ok(None);
        };
        let current = RustlsConfig::from_config(server_config(&chain, &key)?);
        Ok(Some(Self { chain, key, current }))
    }

    /// Reads the files again, for the connections to come.
    ///
    /// # Errors
    /// As [`Self::read`].
    pub(super) fn reload(&self) -> io::Result<()> {
        self.current.reload_from_config(server_config(&self.chain, &self.key)?);
        Ok(())
    }

    /// Speaks TLS on connections.
    pub(super) fn acceptor(self) -> RustlsAcceptor {
        RustlsAcceptor::new(self.current)
    }
}

fn server_config(chain: &PathBuf, key: &PathBuf) -> io::Result<Arc<ServerConfig>> {
    let named = |path: &PathBuf, why: &dyn std::fmt::Display| {
        io::Error::new(io::ErrorKind::InvalidData, format!("{}: {why}", path.display()))
    };
    let certificates = CertificateDer::pem_file_iter(chain).and_then(Iterator::collect);
    let certificates: Vec<_> = certificates.map_err(|why| named(chain, &why))?;
    let secret = PrivateKeyDer::from_pem_file(key).map_err(|why| named(key, &why))?;
    let builder = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .map_err(|why| named(chain, &why))?;
    let mut config = builder
        .with_no_client_auth()
        .with_single_cert(certificates, secret)
        .map_err(|why| named(chain, &why))?;
    config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
    Ok(Arc::new(config))
}
