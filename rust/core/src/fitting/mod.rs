//! Least squares on measured runs: point, region, union over the laws that the data allow, forecast.
//!
//! Rows become means (`table`, `rounds`); each law (`family`) is a curve up to its scale, whose sum of squares
//! (`profile`, `surface`) has a constrained minimum (`minimum`) and a region around it (`region`); what
//! people ask (`quantities`, `outlook`, `karp_flatt`) is read off the regions of all laws that the data
//! allow. Forecasts come from weighted `curves`. [`analyse`] does all of it.

mod analysis;
mod assembly;
mod curves;
mod family;
mod fitted;
mod karp_flatt;
mod mean;
mod means;
mod minimum;
mod noise;
mod notes;
mod options;
mod outlook;
mod profile;
mod quantities;
mod region;
mod remeasure;
mod report;
mod rounds;
mod scalar;
mod surface;
mod table;
mod vecmath;
mod wald;
mod weak;

pub use analysis::{Analysis, Predictions, analyse};
pub use curves::{Bounds3, Curves, Forecast, Outlook, measurements, recommended};
pub use family::{LISTED, Law};
pub use mean::mean_interval;
pub use means::Means;
pub use notes::{Note, NoteValue};
pub use options::{Interval, Kind, Options};
pub use profile::Residuals;
pub use report::{
    Count, Doubling, Estimate, Flagged, ForecastReport, Knee, LackOfFit, LawReport, Measurement, Middle,
    Range, Report, RoundsReport, SerialFraction,
};
pub use weak::{Weak, WeakEfficiency, weak};
