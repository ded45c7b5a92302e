#include "cli/why/phrases.h"

namespace grappe {
namespace {

struct Words {
  std::string_view english, french;
  std::string_view in(Language language) const {
    return language == Language::kFrench ? french : english;
  }
};

// In the order of Phrase.
constexpr Words kPhrases[] = {
    {"Job {} ({}) waits: {}", "Le job {} ({}) attend : {}"},
    {"Job {} ({}) is running.", "Le job {} ({}) est en cours."},
    {"Job {} ({}) is over: {}.", "Le job {} ({}) est terminé : {}."},
    {"now", "tout de suite"},
    {"in about {}", "dans environ {}"},
    {"It is expected to start at {} ({}) on {}.", "Début prévu : {} ({}) sur {}."},
    {"By then these will have ended: {}.", "D'ici là seront terminés : {}."},
    {"Others may still pass it where they don't delay the first in line.",
     "D'autres peuvent encore passer avant, sans retarder le premier de la file."},
    {"Reservation {} begins at {} ({}).", "La réservation {} commence à {} ({})."},
    {"Reservation {} keeps {} from {} until {}: it would run into that.",
     "La réservation {} garde {} de {} à {} : il y déborderait."},
    {"No start is in sight.", "Aucun début n'est en vue."},
    {"There is room for it now, but it would make those before it start later.",
     "Il y aurait la place maintenant, mais cela retarderait ceux qui le précèdent."},
    {"{} jobs come before it: {}", "{} jobs passent avant : {}"},
    {"One job comes before it: {}", "Un job passe avant : {}"},
    {"{} of {} (priority {})", "{} ({}, priorité {})"},
    {"and {} more", "et {} autres"},
    {"and 1 more", "et un autre"},
    {"of others", "d'autres personnes"},
    {"{}: free are {}", "{} : libres sont {}"},
    {"{} of {} {}", "{} sur {} {}"},
    {"; too little: {}", " ; trop peu : {}"},
    {"{}: takes no jobs at present", "{} : n'accepte pas de jobs en ce moment"},
    {"CPUs", "CPU"},
    {"memory", "de mémoire"},
    {"What would start it sooner, each tried by planning again:",
     "Ce qui le ferait commencer plus tôt, chaque fois vérifié par un nouveau plan :"},
    {"starts {}", "commence {}"},
    {"without {}", "sans {}"},
    {"No small change of the job would start it sooner.",
     "Aucun petit changement du job ne le ferait commencer plus tôt."},
    {"A limit of the account, the user or the QoS is reached ({}). `sacctmgr show qos` and "
     "`sacctmgr show associations` show the limits.",
     "Une limite du compte, de la personne ou de la QoS est atteinte ({}). `sacctmgr show qos` et "
     "`sacctmgr show associations` montrent les limites."},
    {"In partition {}: {}", "Dans la partition {} : {}"},
    {"Limit {} of {}.", "Limite {} ({})."},
    {"user {} in account {}", "{} dans le compte {}"},
    {"account {}", "compte {}"},
    {"QoS {}", "QoS {}"},
    {"QoS {} of the partition", "QoS {} de la partition"},
    {"{}, for each user ({})", "{}, pour chaque personne ({})"},
    {"{}, for each account ({})", "{}, pour chaque compte ({})"},
    {"In use: {} by {} jobs; this one asks for {}.",
     "En usage : {} par {} jobs ; celui-ci demande {}."},
    {"In use: {} by one job; this one asks for {}.",
     "En usage : {} par un job ; celui-ci demande {}."},
    {"Used so far: {}; this one asks for {}.", "Utilisé jusqu'ici : {} ; celui-ci demande {}."},
    {"This job alone asks for {}: it will not start as it is.",
     "Ce job à lui seul demande {} : il ne commencera pas tel quel."},
    {"This job asks for {}, which is less than that: it will not start as it is.",
     "Ce job demande {}, donc moins : il ne commencera pas tel quel."},
    {"The fair share is {} now.", "La part équitable est de {} maintenant."},
    {"It is taken by {}.", "Elle est prise par {}."},
    {"{} of {} ({}, until {})", "{} ({}, {}, jusqu'à {})"},
    {"Enough of it is free at {} ({}) at the latest, if nobody else comes first.",
     "Il y en aura assez à {} ({}) au plus tard, si personne ne passe avant."},
    {"What was used has decayed enough at {} ({}) at the earliest.",
     "Ce qui a été utilisé aura assez décru à {} ({}) au plus tôt."},
    {"When enough of it is free is not in sight.", "Rien ne dit quand il y en aura assez."},
};

struct Meaning {
  std::string_view reason;
  Words words;
};

constexpr Meaning kMeanings[] = {
    {"Resources", {"What it asks for is not free.", "Ce qu'il demande n'est pas libre."}},
    {"Priority",
     {"Jobs of higher priority come first.", "Des jobs plus prioritaires passent avant."}},
    {"Dependency",
     {"It waits for other jobs (--dependency).", "Il attend d'autres jobs (--dependency)."}},
    {"DependencyNeverSatisfied",
     {"A job that it depends on did not end as asked: it will never start. scancel it, or change "
      "the condition with `scontrol update jobid=... dependency=`.",
      "Un job dont il dépend ne s'est pas terminé comme demandé : il ne commencera jamais. "
      "scancel, ou `scontrol update jobid=... dependency=`."}},
    {"BeginTime", {"Its begin time has not come.", "Son heure de début n'est pas venue."}},
    {"JobHeldUser",
     {"You hold it: `scontrol release` lets it go.",
      "Il est retenu : `scontrol release` le libère."}},
    {"JobHeldAdmin", {"An operator holds it; ask him.", "Un opérateur le retient ; demandez-lui."}},
    {"PartitionDown", {"The partition is down.", "La partition est arrêtée."}},
    {"PartitionInactive", {"The partition is inactive.", "La partition est inactive."}},
    {"PartitionTimeLimit",
     {"Its time limit is above that of the partition.",
      "Sa limite de temps dépasse celle de la partition."}},
    {"PartitionNodeLimit",
     {"It asks for more nodes than the partition allows.",
      "Il demande plus de nœuds que la partition n'en permet."}},
    {"ReqNodeNotAvail",
     {"A node that it needs is not available.", "Un nœud dont il a besoin n'est pas disponible."}},
    {"Reservation", {"Its reservation has not begun.", "Sa réservation n'a pas commencé."}},
    {"Licenses", {"Licences are all in use.", "Toutes les licences sont prises."}},
    {"JobArrayTaskLimit",
     {"As many tasks of the array run as it allows (%).",
      "Autant de tâches du tableau tournent qu'il en permet (%)."}},
    {"BadConstraints",
     {"No node could ever satisfy what it asks for.",
      "Aucun nœud ne pourra jamais satisfaire ce qu'il demande."}},
    {"MaxMemPerLimit",
     {"It asks for more memory than a job may have there.",
      "Il demande plus de mémoire qu'un job ne peut en avoir là."}},
};

}  // namespace

std::string_view phrase(Phrase phrase, Language language) {
  return kPhrases[static_cast<size_t>(phrase)].in(language);
}

std::string_view reason_meaning(std::string_view reason, Language language) {
  for (const Meaning& meaning : kMeanings) {
    if (meaning.reason == reason) return meaning.words.in(language);
  }
  return {};
}

}  // namespace grappe
